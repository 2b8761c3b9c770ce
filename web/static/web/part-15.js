import{a}from"./part-21.js";import"./part-2.js";import"./part-8.js";import"./part-9.js";export{a as trackPart};
