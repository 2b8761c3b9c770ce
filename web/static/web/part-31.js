import{a}from"./part-39.js";import"./part-10.js";import"./part-18.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
