import{a}from"./part-28.js";import"./part-2.js";import"./part-10.js";import"./part-11.js";export{a as trackPart};
