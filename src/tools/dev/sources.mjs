import {randomBytes} from 'node:crypto'
import {EventEmitter} from 'node:events'
import {readFile} from 'node:fs/promises'
import {join} from 'node:path'
import {createServer, createServerModuleRunner, normalizePath} from 'vite'
import {cacheFolder, root} from '../paths.mjs'

const servedFolders = [
  'src',
  'machines',
  'locales',
  'public',
  'node_modules',
  'index.html',
  'inspector.html',
  '.cache/vite',
]
const isLoopbackHost = (/** @type {string} */ host) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host)
const isService = (/** @type {string | undefined} */ url) => /^\/services(\/|$)/.test(url ?? '')

/**
 * The sources of client and server, in one Vite without a port of its own. Pages get the server's policy (nonce,
 * Trusted Types) and the server's hosts; no other page may read a source, and data folder and secrets are never served.
 */
export async function createSources() {
  // Vite waits for upgrades here; the server's own listeners, which come and go with a restart, pass theirs on.
  const upgrades = new EventEmitter()
  const changes = new EventEmitter()
  const vite = await openVite(upgrades, () => changes.emit('server'))
  let runner = createServerModuleRunner(vite.environments.ssr, {hmr: false})

  return {
    /** The server's modules as they are now. */
    loadServer: async () => {
      await runner.close()
      runner = createServerModuleRunner(vite.environments.ssr, {hmr: false})
      const [start, config, log] = await Promise.all([
        runner.import('/src/server/start-server.ts'),
        runner.import('/src/server/read-config.ts'),
        runner.import('/src/server/log.ts'),
      ])
      return {startServer: start.startServer, readConfig: config.readConfig, createLog: log.createLog}
    },
    /** The options with which `startServer` serves sources; `config` says which hosts are ours. */
    development: (/** @type {{publicOrigins: readonly string[]}} */ config) => ({
      client: {
        indexHtml: () => readPage(vite, 'index.html'),
        messagesPath: () => undefined,
        assets: () => [],
        serve: async (/** @type {Request} */ request, /** @type {string} */ pathname) => {
          if (pathname !== '/inspector.html') return undefined
          const {pagePolicy} = await runner.import('/src/server/http/headers.ts')
          return inspectorPage(await readPage(vite, 'inspector.html'), new URL(request.url), pagePolicy)
        },
      },
      front: frontOf(vite, upgrades, config.publicOrigins),
    }),
    /** Calls back when a file that the server loaded is written or removed, and when Vite's configuration changed. */
    onServerChange: (/** @type {() => void} */ listener) => {
      changes.on('server', listener)
    },
    close: async () => {
      await runner.close()
      await vite.close()
    },
  }
}

/** @typedef {import('vite').ViteDevServer} Vite */

/** @param {EventEmitter} upgrades @param {() => void} onServerChange */
const openVite = (upgrades, onServerChange) =>
  createServer({
    root,
    plugins: [reportChanges(onServerChange)],
    appType: 'custom',
    cacheDir: join(cacheFolder, 'vite'),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: true,
      // as: Vite adds a listener for upgrades and asks nothing else of it
      hmr: {server: /** @type {import('node:http').Server} */ (/** @type {unknown} */ (upgrades))},
      cors: false,
      // The server's own rule stands before Vite (`frontOf`); upgrades come only from pages with Vite's token.
      allowedHosts: true,
      headers: {'cross-origin-resource-policy': 'same-origin', 'x-content-type-options': 'nosniff'},
      fs: {
        strict: true,
        allow: servedFolders.map((name) => join(root, name)),
        deny: ['.env', '.env.*', '*.{crt,pem,key}', '**/.git/**', '**/.data/**', 'secret', '*.sql'],
      },
      watch: {ignored: ['**/.data/**', '**/.cache/**', '**/dist/**', '**/test-results/**']},
    },
    optimizeDeps: {entries: ['index.html', 'inspector.html']},
  })

/** @param {() => void} onServerChange @returns {import('vite').Plugin} */
const reportChanges = (onServerChange) => ({
  name: 'atrium-development',
  configureServer: ({watcher, environments}) => {
    // Vite starts itself anew when its configuration changes; what the server has loaded then belongs to the old one.
    onServerChange()
    const check = (/** @type {string} */ file) => {
      if (environments.ssr.moduleGraph.getModulesByFile(normalizePath(file))?.size) onServerChange()
    }
    watcher.on('change', check).on('unlink', check)
  },
})

/** @param {Vite} vite @param {string} name */
const readPage = async (vite, name) => vite.transformIndexHtml(`/${name}`, await readFile(join(root, name), 'utf8'))

/**
 * The developers' page, which no build has.
 * @param {string} template @param {URL} url @param {(nonce: string, origin: string, bases: Record<string, string>) =>
 * string} pagePolicy
 */
function inspectorPage(template, url, pagePolicy) {
  const nonce = randomBytes(16).toString('base64')
  const bases = {auth: url.origin, platform: url.origin, api: url.origin}
  return new Response(template.replaceAll('__CSP_NONCE__', nonce), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': pagePolicy(nonce, url.origin, bases),
    },
  })
}

/**
 * Stands before the server: Vite has the requests and upgrades of our hosts, except those of the services.
 * @param {Vite} vite @param {EventEmitter} upgrades @param {readonly string[]} publicOrigins
 */
function frontOf(vite, upgrades, publicOrigins) {
  const hosts = new Set(publicOrigins.map((origin) => new URL(origin).host))
  const isOurs = (/** @type {string | undefined} */ host) =>
    host !== undefined && (isLoopbackHost(host) || hosts.has(host))
  return {
    /** @type {import('vite').Connect.NextHandleFunction} */
    onRequest: (incoming, outgoing, next) => {
      if (isService(incoming.url) || !isOurs(incoming.headers.host)) return next()
      vite.middlewares(incoming, outgoing, next)
    },
    onUpgrade: (
      /** @type {import('node:http').IncomingMessage} */ incoming,
      /** @type {import('node:stream').Duplex} */ socket,
      /** @type {Buffer} */ head,
    ) => {
      if (isOurs(incoming.headers.host)) upgrades.emit('upgrade', incoming, socket, head)
      else socket.destroy()
    },
  }
}
