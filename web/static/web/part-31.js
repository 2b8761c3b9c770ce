import{a}from"./part-42.js";import"./part-10.js";import"./part-20.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
