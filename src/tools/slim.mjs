import {basename} from 'node:path'
import {minifySync} from 'vite'

/*
 * What the client's build leaves out of the first screen (docs/benchmarks.md names its bytes). Nothing here changes what
 * anybody sees; `npm run dev` works without it.
 */

/**
 * @param {string} name
 * @param {RegExp} files
 * @param {(code: string) => string} rewrite
 * @returns {import('vite').Plugin}
 */
const rewriting = (name, files, rewrite) => ({
  name,
  apply: 'build',
  enforce: 'pre',
  transform: (code, id) => (files.test(id) ? rewrite(code) : undefined),
})

/** Descriptions of states are for the inspector and for readers; no build holds the inspector (docs/inspecting.md). */
const withoutDescriptions = rewriting('atrium-descriptions', /\/machines\/[^?]*\.ts$/, (code) =>
  code.replace(/\bdescription:\s*'(?:[^'\\\n]|\\.)*',?/g, ''),
)

/** Keys of an icon's shapes, which never change places: random letters that do not compress (0.8 KB). */
const withoutIconKeys = rewriting('atrium-icon-keys', /\/lucide-react\/dist\/esm\/icons\//, (code) =>
  code.replace(/,\s*key: "\w+"/g, ''),
)

/** @type {import('vite').Plugin} The page without comments and indentation, its own script as short as the others. */
const slimPage = {
  name: 'atrium-slim-page',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) =>
      html
        .replace(/<!--[^]*?-->/g, '')
        .replace(/\s*\n\s*/g, '\n')
        .replace(/(<script id="boot"[^>]*>)([^]*?)(?=<\/script>)/, (_, tag, code) => tag + minifyScript(code)),
  },
}

/** @param {string} code */
function minifyScript(code) {
  const {code: short, errors} = minifySync('boot.js', code, {compress: {target: 'es2015'}, mangle: true})
  if (errors.length > 0 || short === '') throw new Error(`The page's script cannot be read: ${errors[0]?.message}`)
  return short
}

/**
 * The bundler's few helpers for CommonJS stand in a file of their own. The first screen gets a copy of them instead of one
 * more request (1 KB); the files that come later share the other.
 * @type {import('vite').Plugin}
 */
const withInlineRuntime = {
  name: 'atrium-inline-runtime',
  apply: 'build',
  enforce: 'pre',
  generateBundle(_, bundle) {
    const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
    const runtime = chunks.find(({name}) => name === 'rolldown-runtime')
    if (runtime === undefined) return
    const [, body, list] = /^([^]*)export\{([^}]*)\};?\s*$/.exec(runtime.code) ?? []
    const first = new Set(chunks.flatMap(({isEntry, imports}) => (isEntry ? imports : [])))
    for (const chunk of chunks.filter(
      ({fileName, imports}) => first.has(fileName) && imports.includes(runtime.fileName),
    )) {
      const wanted = new RegExp(`import\\{([^}]*)\\}from"\\./${runtime.fileName.split('/').pop()}";`)
      const names = wanted.exec(chunk.code)?.[1]
      if (body === undefined || list === undefined || names === undefined) {
        this.error('The helpers of the bundler have another form than src/tools/slim.mjs knows')
      }
      const given = list.replace(/([\w$]+) as ([\w$]+)/g, '$2:$1')
      const taken = names.replace(/([\w$]+) as ([\w$]+)/g, '$1:$2')
      chunk.code = chunk.code.replace(wanted, () => `const{${taken}}=(()=>{${body}return{${given}}})();`)
      chunk.imports = chunk.imports.filter((file) => file !== runtime.fileName)
    }
  },
}

export const slimPlugins = [withoutDescriptions, withoutIconKeys, slimPage, withInlineRuntime]

/** @type {Map<string, string>} */
const styleFiles = new Map()

/**
 * Class names of CSS Modules as `<file>-<class>`: the same in every build, and they compress where a hash does not (0.7 KB).
 * @param {string} name
 * @param {string} path
 */
export function classNameOf(name, path) {
  const file = basename(path, '.module.css')
  const known = styleFiles.get(file) ?? path
  if (known !== path) throw new Error(`${known} and ${path} would share the names of their classes: rename one`)
  styleFiles.set(file, path)
  return `${file}-${name}`
}
