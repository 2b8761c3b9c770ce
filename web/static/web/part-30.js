import{a}from"./part-43.js";import"./part-5.js";import"./part-19.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
