import {readFileSync} from 'node:fs'
import {basename, join, relative} from 'node:path'
import {describe, expect, test} from 'vitest'
import {circlesOf, files, read, root, specifiersOf, targetOf, walk} from './source-files.ts'

/*
 * The arrows of docs/architecture.md §1, checked against every import of every file. Paths here are relative to the
 * project's folder, with forward slashes.
 */

type Part =
  | 'machines'
  | 'contract'
  | 'domain'
  | 'api'
  | 'browser'
  | 'ui'
  | 'features'
  | 'app'
  | 'server'
  | 'sandbox'
  | 'service-worker'
  | 'tools'

const allowed: Record<Part, readonly Part[]> = {
  contract: [],
  domain: ['contract'],
  machines: ['contract', 'domain'],
  api: ['contract', 'domain'],
  browser: ['contract', 'domain'],
  ui: [],
  features: ['machines', 'domain', 'contract', 'api', 'browser', 'ui'],
  app: ['machines', 'domain', 'contract', 'api', 'browser', 'ui', 'features'],
  server: ['contract', 'domain', 'sandbox'],
  sandbox: ['contract', 'domain', 'server'],
  'service-worker': ['contract'],
  tools: ['server'],
}

/** Packages a part may use; a part that is not here may use any dependency. */
const packages: Partial<Record<Part, RegExp>> = {
  contract: /^zod/,
  domain: /^(json-logic-js|culori\/fn)$/,
  machines: /^(xstate|rxjs|reselect)$/,
  api: /^(rxjs|redaxios)(\/|$)/,
  ui: /^(?!xstate|@xstate|rxjs|redaxios|hono|drizzle|pg$|node:)/,
  sandbox: /^(?:node:|sharp$|qrcode$|mediabunny$|@mediabunny\/mp3-encoder$|h264-mp4-encoder$|jsqr$)/,
  server:
    /^(?!mediabunny|@mediabunny|h264-mp4-encoder|react|@xstate|xstate|@tanstack|redaxios|localforage|@base-ui|lucide)/,
}

const partOf = (file: string): Part | undefined => {
  const [first, second] = file.split('/')
  if (first === 'machines') return 'machines'
  if (first !== 'src' || second === undefined) return undefined
  return second in allowed ? (second as Part) : undefined
}

/** A file without its comments. */
const codeOf = (file: string) => read(file).replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/g, '')

const arrows = files.flatMap((file) =>
  specifiersOf(file).map((specifier) => ({file, specifier, target: targetOf(file, specifier)})),
)

/** The imports of each file, also those of types and lazy ones. */
const importsOf = new Map(
  files.map((file) => [file, arrows.flatMap(({file: from, target}) => (from === file && target ? [target] : []))]),
)

describe('who may import whom', () => {
  test('every file stands in a folder of the table', () => {
    expect(files.filter((file) => partOf(file) === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(100)
  })

  test('no arrow that is not in the table', () => {
    const wrong = arrows.flatMap(({file, specifier, target}) => {
      const from = partOf(file)
      const to = target === undefined ? undefined : partOf(target)
      if (!from || !to || from === to || allowed[from].includes(to)) return []
      return [`${file} → ${specifier}`]
    })
    expect(wrong).toEqual([])
  })

  test('server and sandbox meet in the provider interface alone', () => {
    const wrong = arrows.filter(({file, target = ''}) => {
      const from = partOf(file)
      const to = partOf(target)
      if (from === 'server' && to === 'sandbox') return file !== 'src/server/providers/sandbox.ts'
      if (from !== 'sandbox' || to !== 'server') return false
      return !['src/server/providers/provider.ts', 'src/server/providers/media-provider.ts'].includes(target)
    })
    expect(wrong.map(({file, specifier}) => `${file} → ${specifier}`)).toEqual([])
  })

  test('a feature never imports another feature', () => {
    const wrong = arrows.filter(({file, target}) => {
      if (!file.startsWith('src/features/') || !target?.startsWith('src/features/')) return false
      return file.split('/')[2] !== target.split('/')[2]
    })
    expect(wrong.map(({file, specifier}) => `${file} → ${specifier}`)).toEqual([])
  })

  test('no file imports itself through others', () => {
    expect(circlesOf(importsOf)).toEqual([])
  })

  test('packages stay where they belong; rxjs in machines only in lib', () => {
    const wrong = arrows.flatMap(({file, specifier, target}) => {
      const part = partOf(file)
      if (target !== undefined || !part || specifier.startsWith('virtual:')) return []
      const pattern = packages[part]
      const strayRxjs = part === 'machines' && specifier === 'rxjs' && !file.startsWith('machines/lib/')
      return strayRxjs || (pattern && !pattern.test(specifier)) ? [`${file} → ${specifier}`] : []
    })
    expect(wrong).toEqual([])
  })

  test('ports are filled in src/app only', () => {
    const wrong = files.filter(
      (file) => file.startsWith('src/features/') && /\.provide\(\s*\{\s*actors/.test(read(file)),
    )
    expect(wrong).toEqual([])
  })

  test('an actor is a child of a chart or of the hook of a view, but for the root (decision 114)', () => {
    const makers = files.filter((file) => !file.startsWith('tests/') && /\bcreateActor\(/.test(codeOf(file)))
    expect(makers).toEqual(['src/app/logic/root.ts'])
  })

  test('charts and views wait for no state: promises of one stand where a library or a port takes them', () => {
    const waiting = files.filter((file) => /^(machines|src\/features)\//.test(file) && /\bwaitFor\(/.test(codeOf(file)))
    expect(waiting).toEqual([])
  })

  test('no barrels, and imports of our own files carry their extension', () => {
    expect(files.filter((file) => /\/index\.(ts|tsx)$/.test(file))).toEqual([])
    const bare = arrows.filter(
      ({target, specifier}) => target !== undefined && !/\.(ts|tsx|mjs|css|svg|json|md)(\?[\w&]+)?$/.test(specifier),
    )
    expect(bare.map(({file, specifier}) => `${file} → ${specifier}`)).toEqual([])
  })
})

describe('circles of imports', () => {
  test.each<[string, Record<string, string[]>, string[]]>([
    ['none', {'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'], 'c.ts': []}, []],
    ['a file that imports itself', {'a.ts': ['a.ts']}, ['a.ts']],
    [
      'of three, once',
      {'a.ts': ['b.ts'], 'b.ts': ['c.ts'], 'c.ts': ['a.ts', 'd.ts'], 'd.ts': []},
      ['a.ts ↔ b.ts ↔ c.ts'],
    ],
    [
      'two beside each other',
      {'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['a.ts'], 'c.ts': ['d.ts'], 'd.ts': ['c.ts']},
      ['a.ts ↔ b.ts', 'c.ts ↔ d.ts'],
    ],
  ])('%s', (_, imports, circles) => expect(circlesOf(new Map(Object.entries(imports)))).toEqual(circles))
})

/** Matches a connection that the global object or Node opens; a `ports.fetch(…)` is given to a module. */
const outward = new RegExp(
  [
    /(?<![\w.'-])fetch\s*[(,;)}\n]/,
    /[=(]\s*fetch\b/,
    /\b(?:globalThis|global)\s*(?:\?\.|\.|\[\s*['"])\s*fetch\b/,
    /\bhttps?\.(?:request|get)\b/,
    /import[^'"]*\b(?:request|get|connect|createConnection)\b[^'"]*from 'node:(?:https?|http2|net|tls)'/,
    /\bnet\.(?:connect|createConnection)\b/,
    /['"](?:undici|node:https|node:http2|node:tls)['"]/,
  ]
    .map(({source}) => source)
    .join('|'),
)

describe('the server makes requests in one module only (security R27)', () => {
  test.each([
    'await fetch(address)',
    'await globalThis.fetch(address)',
    "globalThis['fetch'](address)",
    'const send = fetch',
    'const {fetch} = globalThis',
    'call({fetch, timers})',
    'http.get(address)',
    "import {request} from 'node:http'",
    "import {connect} from 'node:net'",
    "const {request} = await import('undici')",
  ])('%s is one', (source) => expect(source).toMatch(outward))

  test.each(['await ports.fetch(address)', "headers.get('sec-fetch-site')", "import {createServer} from 'node:http'"])(
    '%s is none',
    (source) => expect(source).not.toMatch(outward),
  )

  test('in no other file', () => {
    const callers = files.filter((file) => file.startsWith('src/server/') && outward.test(codeOf(file)))
    expect(callers).toEqual(['src/server/providers/outbound.ts'])
  })
})

test('only the worker colours code: no block can hold the page up (security R06)', () => {
  const folder = 'src/features/chat/markdown'
  const importers = files.filter((file) => /^import (?!type\b)[^'"()]*'[^']*\/highlight\.ts'/m.test(codeOf(file)))
  expect(importers).toEqual([`${folder}/highlight.worker.ts`])
  expect(arrows.flatMap(({file, specifier}) => (specifier === 'lowlight' ? [file] : []))).toEqual([
    `${folder}/highlight.ts`,
  ])
})

test('no raw HTML sinks in the client (security R01)', () => {
  const sinks = files.filter((file) => {
    if (file.startsWith('src/server/') || file.startsWith('src/tools/')) return false
    return /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\bsrcDoc\b/.test(
      read(file),
    )
  })
  expect(sinks).toEqual([])
})

test('styles use logical properties only, so that Arabic mirrors', () => {
  const physical =
    /^\s*(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b|(?:left|right)\s*:|text-align:\s*(?:left|right)\b|float:\s*(?:left|right)\b|border-(?:top|bottom)-(?:left|right)-radius)/
  const wrong = walk(join(root, 'src'))
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, number) =>
          physical.test(line) ? [`${relative(root, file)}:${number + 1} ${line.trim()}`] : [],
        ),
    )
  expect(wrong).toEqual([])
})

/** The selectors of a style sheet, each with those it is nested in. */
function selectorsOf(css: string): string[] {
  const outer: string[] = []
  return [...css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{};]*)([{};])/g)].flatMap(([, text = '', mark]) => {
    if (mark === '}') outer.pop()
    if (mark !== '{') return []
    const around = outer.at(-1) ?? ''
    const own = text.trim()
    const whole = own.includes('&') ? own.replaceAll('&', around) : own.startsWith('@') ? around : `${around} ${own}`
    outer.push(whole)
    return [whole]
  })
}

/** The root or the body, with attributes and the like. */
const rootHas = /(?::root\b|(?<![\w.#-])(?:html|body)\b)(?:\[[^\]]*\]|[^\s>+~,[])*:has\(/

test('no rule asks what the page has in it, since it would be evaluated anew for each word of an answer', () => {
  const asking = ':global(:root):has(.bar) {} html[lang]:has(a) {} a, body { @media print { &:has(b) {} } }'
  expect(selectorsOf(asking).filter((selector) => rootHas.test(selector))).toHaveLength(3)
  const others = ':root[data-theme] .row:has(b) {} .body:has(a) {} .html { &:has(a) {} } tbody:has(a) {}'
  expect(selectorsOf(others).filter((selector) => rootHas.test(selector))).toEqual([])
  const wrong = walk(join(root, 'src'))
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) => selectorsOf(readFileSync(file, 'utf8')).map((selector) => `${relative(root, file)} ${selector}`))
    .filter((rule) => rootHas.test(rule))
  expect(wrong).toEqual([])
})

test('no rule of a thread asks what an element has in it: it is looked up again at each change (decision 85)', () => {
  const ofThread =
    /^src\/features\/chat\/(?:(?:message|thread|shared-thread|question-text|reading|answer-facts|attachment)[\w-]*\.module\.css|markdown\/)/
  const askingRules = walk(join(root, 'src/features/chat'))
    .filter((file) => file.endsWith('.css') && ofThread.test(relative(root, file)))
    .flatMap((file) =>
      selectorsOf(readFileSync(file, 'utf8')).map((selector) => `${basename(file)} ${selector.trim()}`),
    )
    .filter((rule) => rule.includes(':has('))
  expect(new Set(askingRules)).toEqual(
    new Set([
      // the chip of a file: its frame is cut off at the link inside, and no answer grows in it
      'attachment.module.css .chip:has(> a:focus-visible)',
      'attachment.module.css .chip:has(> a:focus-visible) > a',
    ]),
  )
})
