import{a}from"./part-37.js";import"./part-5.js";import"./part-15.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
