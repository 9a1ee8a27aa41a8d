/// <reference types="vite/types/importMeta.d.ts" />

declare module '*?raw' {
  const text: string
  export default text
}
