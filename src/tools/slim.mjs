import {basename} from 'node:path'
import {minifySync, parseAst} from 'vite'

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

/**
 * rxjs as a source of what is no source here: async iterables and byte streams, with the helpers that their syntax has in
 * older browsers (0.8 KB). Our streams are Observables and promises (src/api).
 */
const withoutAsyncIterables = rewriting(
  'atrium-async-iterables',
  /\/rxjs\/dist\/esm\/internal\/observable\/innerFrom\.js$/,
  (code) => code.replace(/if \(is(?:AsyncIterable|ReadableStreamLike)\(input\)\) \{[^}]*\}/g, ''),
)

/** What is made, and of what: the client asks a plan only for its shape (src/features/media/feed/ratio.ts). */
const inPlan = [
  ...['prompt', 'words', 'action', 'lines', 'pixels', 'quality', 'durationSeconds', 'seed', 'tiles', 'sourceIndex'],
  ...['joins', 'code', 'song'],
]

/**
 * Places of the properties with these names, each with the comma behind it.
 * @param {any} node
 * @param {readonly string[]} names
 * @param {string} code
 * @returns {[number, number][]}
 */
function propertiesIn(node, names, code) {
  // a pattern takes values out of an object; it has none
  if (typeof node !== 'object' || node === null || node.type === 'ObjectPattern') return []
  if (node.type === 'Property' && node.key.name === 'plan') return propertiesIn(node.value.body, inPlan, code)
  if (node.type === 'Property' && names.includes(node.key.name)) {
    const comma = /^\s*,/.exec(code.slice(node.end))?.[0] ?? ''
    return [[node.start, node.end + comma.length]]
  }
  return Object.values(node).flatMap((child) => propertiesIn(child, names, code))
}

/**
 * A tool's file whose `identity` is the one of `virtual:media-tools`, which is loaded before any tool.
 * @param {string} code
 * @param {string} id
 */
function withListedIdentity(code, id) {
  const own = parseAst(code, {lang: 'ts'}, id)
    .body.flatMap((/** @type {any} */ statement) => statement.declaration?.declarations ?? [])
    .find((declaration) => declaration.id.name === 'identity')
  if (own === undefined) return code
  const listed = `identities.find(({id}) => id === '${basename(id, '.ts')}')`
  return `import {identities} from 'virtual:media-tools'\n${code.slice(0, own.init.start)}${listed}${code.slice(own.init.end)}`
}

/**
 * A tool's operations say how its server answers (`respond`) and what a maker needs to know beside the shape (`plan`). The
 * client never asks either (0.3 to 0.8 KB a tool). What it is stands in the list of all tools already (0.2 KB).
 * @type {import('vite').Plugin}
 */
const withoutAnswers = {
  name: 'atrium-answers',
  apply: (_, {command, isSsrBuild}) => command === 'build' && isSsrBuild !== true,
  enforce: 'pre',
  transform(code, id) {
    if (!/\/src\/contract\/media\/[a-z0-9]+\.ts$/.test(id)) return undefined
    const found = propertiesIn(parseAst(code, {lang: 'ts'}, id), ['respond'], code)
    const short = found.reduceRight((rest, [start, end]) => rest.slice(0, start) + rest.slice(end), code)
    return withListedIdentity(short, id)
  },
}

/**
 * formatjs as a formatter of what is no message: numbers and days are written by `Intl` itself, so that they have Latin
 * digits in every language (design §9). And its checks of a configuration that never changes here, the texts that would
 * stand in for a message, which our types know is there, and time zones of messages (1.5 KB).
 */
const withMessagesAlone = rewriting('atrium-messages-alone', /\/@formatjs\/intl\/index\.js$/, (code) =>
  code
    .replace(/^\t\t(?!formatMessage:)(?:format\w+|\$t): \w+\.bind\(.*\),?$/gm, '')
    .replace(/^\t\tget(?:Duration|RelativeTime|List|Display)\w+: memoize\([^]*?\n\t\t\}\),?$/gm, '')
    .replace(/^\tif \(!locale\) \{[^]*?\n\tverifyConfigMessages\(resolvedConfig\);$/m, '')
    .replace(/^\tif \(!msgId\) invariant\([^]*?`\);$/m, '')
    .replace(/^(\t+)if \(defaultMessage\) try \{\n[^]*?\n\1\} catch \(e\) \{\n[^]*?\n\1\}$/gm, '')
    .replace(/^\t(?:formats|defaultFormats) = deepMergeFormatsAndSetTimeZone\(.*$/gm, ''),
)

/** react-intl's components, which the bundler keeps for the names that they are given; ours use its context (1 KB). */
const withoutIntlComponents = rewriting('atrium-intl-components', /\/react-intl\/index\.js$/, (code) =>
  code
    .replace(/^\w+\.displayName = .*$/gm, '')
    .replace(/= (React\.memo|createFormatted\w+)\(/g, '= /* @__PURE__ */ $1('),
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
 * more request (1 KB), and what needs it anyway has them from there (0.5 KB and a request). The name of a file that does not
 * import it does not change with it: such files keep the other.
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
    const host = chunks.find(({fileName, imports}) => first.has(fileName) && imports.includes(runtime.fileName))
    const wanted = new RegExp(`import\\{([^}]*)\\}from"\\./${runtime.fileName.split('/').pop()}";`)
    const namesIn = (/** @type {string} */ code) => wanted.exec(code)?.[1]
    const taken = host && namesIn(host.code)
    if (host === undefined || body === undefined || list === undefined || taken === undefined) {
      this.error('The helpers of the bundler have another form than src/tools/slim.mjs knows')
    }
    const pairs = list.split(',').map((pair) => pair.trim().split(' as '))
    const given = pairs.map(([local, name]) => `${name}:${local}`)
    const all = pairs.map(([, name]) => `${name}:runtime_${name}`)
    const exported = pairs.map(([, name]) => `runtime_${name}`)
    const own = taken.split(',').map((pair) => {
      const [name, local = name] = pair.trim().split(' as ')
      return `${local}=runtime_${name}`
    })
    host.code = host.code.replace(
      wanted,
      () => `const{${all}}=(()=>{${body}return{${given}}})(),${own};export{${exported}};`,
    )
    host.imports = host.imports.filter((file) => file !== runtime.fileName)
    const needing = chunks.filter(({imports}) => imports.includes(runtime.fileName))
    for (const chunk of needing.filter(({imports}) => imports.includes(host.fileName))) {
      const names = namesIn(chunk.code)
      const bare = `import"./${runtime.fileName.split('/').pop()}";`
      if (names === undefined && !chunk.code.includes(bare))
        this.error(`The helpers of the bundler are not found in ${chunk.fileName}`)
      const fromHost = names?.split(',').map((pair) => {
        const [name, local = name] = pair.trim().split(' as ')
        return `runtime_${name} as ${local}`
      })
      chunk.code = chunk.code
        .replace(bare, '')
        .replace(wanted, () => `import{${fromHost}}from"./${host.fileName.split('/').pop()}";`)
      chunk.imports = chunk.imports.filter((file) => file !== runtime.fileName)
    }
    if (needing.every(({imports}) => imports.includes(host.fileName))) delete bundle[runtime.fileName]
  },
}

/**
 * Vite's `import()` with the files it needs, as far as a browser needs it that knows modules: it guards against more than can
 * happen here (0.5 KB). Every file is of this origin and asked for once; one that cannot be had fails the import, except
 * without a network: then the import waits for it, as what asks for a part is still there when the browser is online again.
 * @type {import('vite').Plugin}
 */
const withSmallPreload = {
  name: 'atrium-small-preload',
  apply: 'build',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('vite/preload-helper.js')
      ? `const asked = {}
const ask = (file) => new Promise((resolve, reject) => {
  const href = '/' + file
  if (document.querySelector('link[href="' + href + '"]')) return resolve()
  const link = document.createElement('link')
  const isStyle = file.endsWith('.css')
  link.rel = isStyle ? 'stylesheet' : 'modulepreload'
  link.nonce = document.querySelector('meta[property=csp-nonce]').nonce
  link.href = href
  link.onload = resolve
  link.onerror = () => {
    link.remove()
    delete asked[file]
    reject(new Error('Not loaded: ' + href))
  }
  document.head.append(link)
  if (!isStyle) resolve()
})
export const __vitePreload = (load, files = []) => Promise.all(files.map((file) => (asked[file] ??= ask(file)))).then(load).catch((error) => {
  if (navigator.onLine) throw error
  return new Promise((resolve) => addEventListener('online', resolve, {once: true})).then(() => __vitePreload(load, files))
})`
      : undefined,
}

export const slimPlugins = [
  withoutDescriptions,
  withoutIconKeys,
  withoutAsyncIterables,
  withMessagesAlone,
  withoutIntlComponents,
  withoutAnswers,
  slimPage,
  withInlineRuntime,
  withSmallPreload,
]

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
