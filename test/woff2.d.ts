// esbuild inserts imported fonts into the bundle as data URLs.
declare module '*.woff2' {
  const url: string;
  export default url;
}
