import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseAst} from 'vite'

const toolsFolder = fileURLToPath(new URL('../contract/media', import.meta.url))

const groups = ['image', 'video', 'music']
const listId = 'virtual:media-tool-list'
const manifestId = 'virtual:media-tools'
const examplesId = 'virtual:media-tool-examples'
const toolPrefix = 'virtual:media-tool/'
const lists = [listId, manifestId, examplesId]

/**
 * The value of an expression that is nothing but a value: objects, lists, texts, numbers, booleans.
 * @param {any} node
 * @param {string} location for the message of what is thrown
 * @returns {unknown}
 */
function literalValue(node, location) {
  const refuse = () => {
    throw new Error(`${location} must be a literal value, for it is copied out of the file at build time`)
  }
  switch (node?.type) {
    case 'TSSatisfiesExpression':
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
      return literalValue(node.expression, location)
    case 'Literal':
      return node.regex || node.bigint ? refuse() : node.value
    case 'ArrayExpression':
      return node.elements.map((/** @type {any} */ element) => literalValue(element, location))
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map((/** @type {any} */ property) => {
          if (property.type !== 'Property' || property.computed || property.method || property.shorthand)
            return refuse()
          if (property.kind !== 'init') return refuse()
          const key = property.key.type === 'Identifier' ? property.key.name : literalValue(property.key, location)
          return [key, literalValue(property.value, location)]
        }),
      )
    default:
      return refuse()
  }
}

/**
 * The object a tool's file exports under a name, or undefined when it exports none.
 * @param {string} name
 * @param {string} code
 * @param {string} file
 * @returns {Record<string, any> | undefined}
 */
export function literalIn(name, code, file) {
  for (const statement of parseAst(code, {lang: 'ts'}, file).body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const {declaration} = statement
    if (declaration?.type !== 'VariableDeclaration') continue
    const declarator = declaration.declarations.find(({id}) => id.type === 'Identifier' && id.name === name)
    if (declarator !== undefined) {
      const value = literalValue(declarator.init, `${file}: \`${name}\``)
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
      throw new Error(`${file}: \`${name}\` must be an object`)
    }
  }
  return undefined
}

/**
 * Identities of the tools of a folder: every file with an `identity`, by group and order.
 * @param {string} [folder]
 * @returns {Record<string, any>[]}
 */
export function readIdentities(folder = toolsFolder) {
  const files = readdirSync(folder).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.screen.ts') && !name.startsWith('media-'),
  )
  const identities = files.flatMap((name) => {
    const identity = literalIn('identity', readFileSync(join(folder, name), 'utf8'), name)
    if (identity === undefined) return []
    const id = name.slice(0, -'.ts'.length)
    if (identity.id !== id) throw new Error(`${name}: the tool's id must be "${id}", as its file is named`)
    if (!groups.includes(identity.group)) throw new Error(`${name}: "${identity.group}" is no group of tools`)
    if (!existsSync(join(folder, `${id}.screen.ts`))) throw new Error(`${name}: ${id}.screen.ts is missing`)
    return [identity]
  })
  return identities.sort(
    (one, other) => groups.indexOf(one.group) - groups.indexOf(other.group) || one.order - other.order,
  )
}

/**
 * A call of each tool that a developer can begin with.
 * @param {string} folder
 */
const readExamples = (folder) =>
  readIdentities(folder).map(({id, name, group, service, serviceId}) => {
    const file = `${id}.ts`
    const example = literalIn('example', readFileSync(join(folder, file), 'utf8'), file)
    if (example === undefined)
      throw new Error(`${file}: \`example\` is missing, a call that a developer can begin with`)
    return {id, name, group, service, serviceId, ...example}
  })

/**
 * Vite plugin (docs/decisions/0010). `virtual:media-tool-list` holds id, name and group of each tool, for the first
 * screen; `virtual:media-tools` the whole identities and `loadTool`, which loads a tool's two files as one chunk, with
 * the loaders of its words (`localesPlugin`); `virtual:media-tool-examples` a call of each tool.
 * @param {{folder?: string}} [options]
 * @returns {import('vite').Plugin}
 */
export function mediaToolsPlugin({folder = toolsFolder} = {}) {
  return {
    name: 'atrium-media-tools',
    resolveId: (id) => (lists.includes(id) || id.startsWith(toolPrefix) ? `\0${id}` : undefined),
    load(id) {
      if (id.startsWith(`\0${toolPrefix}`)) {
        const path = join(folder, id.slice(toolPrefix.length + 1)).replaceAll('\\', '/')
        const words = `virtual:message-loaders/${id.slice(toolPrefix.length + 1)}`
        return `export {tool} from '${path}.ts'\nexport {screen} from '${path}.screen.ts'\nexport {loaders as words} from '${words}'`
      }
      if (!lists.some((list) => id === `\0${list}`)) return undefined
      const identities = readIdentities(folder)
      for (const identity of identities) this.addWatchFile(join(folder, `${identity.id}.ts`))
      if (id === `\0${listId}`) {
        const toolList = identities.map(({id: tool, name, group}) => ({id: tool, name, group}))
        return `export const mediaTools = ${JSON.stringify(toolList)}`
      }
      if (id === `\0${examplesId}`) return `export const examples = ${JSON.stringify(readExamples(folder))}`
      const loaders = identities.map(({id: tool}) => `${JSON.stringify(tool)}: () => import('${toolPrefix}${tool}')`)
      return [
        `export const identities = ${JSON.stringify(identities)}`,
        `export const loadTool = {${loaders.join(',\n')}}`,
      ].join('\n')
    },
    // a tool that comes or goes while developing
    configureServer(server) {
      const refresh = (/** @type {string} */ file) => {
        if (!file.startsWith(folder)) return
        for (const id of lists) {
          const module = server.moduleGraph.getModuleById(`\0${id}`)
          if (module) server.moduleGraph.invalidateModule(module)
        }
        server.ws.send({type: 'full-reload'})
      }
      server.watcher.on('add', refresh)
      server.watcher.on('unlink', refresh)
    },
  }
}
