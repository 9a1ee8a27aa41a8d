import react from '@vitejs/plugin-react'
import {defaultClientConditions, defineConfig} from 'vite'
import {localesPlugin} from './src/tools/locales.mjs'
import {mediaWorkerPlugin} from './src/tools/media-worker.mjs'

// Messages are compiled ahead of time, so the client needs no ICU parser (6.7 instead of 13.8 KB).
const withoutParser = {
  find: /^@formatjs\/icu-messageformat-parser$/,
  replacement: '@formatjs/icu-messageformat-parser/no-parser.js',
}

// They only declare: the client, which reads no requests, leaves them out though `management.ts` passes them on.
const moduleSideEffects = (id: string) =>
  /\/src\/contract\/([a-z-]+-requests|request-schema)\.ts$/.test(id) ? false : undefined

/** Descriptions of states are for the inspector and for readers; no build holds the inspector (docs/inspecting.md). */
const withoutDescriptions = {
  name: 'atrium-descriptions',
  apply: 'build' as const,
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    /\/machines\/[^?]*\.ts$/.test(id) ? code.replace(/\bdescription:\s*'(?:[^'\\\n]|\\.)*',?/g, '') : undefined,
}

// One file of what hardly ever changes and one of what the first screen shows: fewer requests, better compression.
const firstScreen = {
  groups: [
    {
      name: 'vendor',
      test: /rolldown\/runtime|node_modules\/(react|react-dom|scheduler|react-intl|@formatjs|intl-messageformat|xstate|@xstate|use-[a-z-]+|rxjs|@tanstack|zod|redaxios)\//,
    },
    {
      name: 'controls',
      test: /src\/(ui\/(?!overlays|toasts|qr-code|text-field|copy-button|money-text)|domain\/conversation\.ts)/,
    },
  ],
}

/** `vite build` makes the client; `vite build --ssr` (src/tools/build.mjs) the server. */
export default defineConfig(({isSsrBuild, command}) => ({
  plugins: [react(), localesPlugin(), withoutDescriptions, mediaWorkerPlugin()],
  resolve: {
    alias: isSsrBuild || command === 'serve' ? [] : [withoutParser],
    // rxjs serves classes and no tslib under this condition
    ...(isSsrBuild ? {} : {conditions: ['es2015', ...defaultClientConditions]}),
  },
  html: {cspNonce: '__CSP_NONCE__'},
  build: isSsrBuild
    ? {outDir: 'dist/server', target: 'node20', ssr: 'src/server/main.ts', emptyOutDir: true, minify: false}
    : {
        outDir: 'dist/client',
        target: 'es2022',
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: {polyfill: false},
        rolldownOptions: {treeshake: {moduleSideEffects}, output: {codeSplitting: firstScreen}},
      },
}))
