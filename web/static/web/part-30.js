import{a}from"./part-38.js";import"./part-5.js";import"./part-17.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
