import{a}from"./part-30.js";import"./part-5.js";import"./part-13.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
