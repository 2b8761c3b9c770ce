import{a as r}from"./part-1.js";import"./part-2.js";import"./part-3.js";var e=document.querySelector("a[href^='otpauth:']"),t=e&&r(e.href,"QR code of the secret");t&&e.parentElement.before(t);
