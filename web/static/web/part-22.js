function o(e){let r=new Map;return n=>{let t=r.get(n)??e(n);return r.set(n,t),t}}export{o as a};
