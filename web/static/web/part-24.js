import{a}from"./part-32.js";import"./part-5.js";import"./part-14.js";import"./part-2.js";import"./part-3.js";export{a as trackPart};
