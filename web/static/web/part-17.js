import{a}from"./part-24.js";import"./part-2.js";import"./part-9.js";import"./part-10.js";export{a as trackPart};
