// esbuild collects imported styles into one file per bundle.
declare module '*.css';
