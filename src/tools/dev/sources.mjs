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
 * The sources of client and server, in one Vite without a port of its own. Pages get the server's policy (nonce, Trusted
 * Types) and the server's hosts; no other page may read a source, and data folder and secrets are never served.
 */
export async function createSources() {
  // Vite waits for upgrades here; the server's own listeners, which come and go with a restart, pass theirs on.
  const upgrades = new EventEmitter()
  const changes = new EventEmitter()
  const vite = await createServer({
    root,
    // Vite starts itself anew when its configuration changes; what the server has loaded then belongs to the old one.
    plugins: [
      {
        name: 'atrium-development',
        configureServer: ({watcher, environments}) => {
          changes.emit('server')
          const check = (/** @type {string} */ file) => {
            if (environments.ssr.moduleGraph.getModulesByFile(normalizePath(file))?.size) changes.emit('server')
          }
          watcher.on('change', check).on('unlink', check)
        },
      },
    ],
    appType: 'custom',
    cacheDir: join(cacheFolder, 'vite'),
    logLevel: 'warn',
    clearScreen: false,
    server: {
      middlewareMode: true,
      hmr: {server: /** @type {import('node:http').Server} */ (/** @type {unknown} */ (upgrades))},
      cors: false,
      // The server's own rule stands before Vite (`onRequest` below); upgrades come only from pages with Vite's token.
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
  let runner = createServerModuleRunner(vite.environments.ssr, {hmr: false})

  /** The server's modules as they are now. */
  const loadServer = async () => {
    await runner.close()
    runner = createServerModuleRunner(vite.environments.ssr, {hmr: false})
    const [start, config, log] = await Promise.all([
      runner.import('/src/server/start-server.ts'),
      runner.import('/src/server/read-config.ts'),
      runner.import('/src/server/log.ts'),
    ])
    return {startServer: start.startServer, readConfig: config.readConfig, createLog: log.createLog}
  }

  const template = async (/** @type {string} */ name) =>
    vite.transformIndexHtml(`/${name}`, await readFile(join(root, name), 'utf8'))

  /** The developers' page, which no build has. */
  const inspectorPage = async (/** @type {URL} */ url) => {
    const {pagePolicy} = await runner.import('/src/server/http/headers.ts')
    const nonce = randomBytes(16).toString('base64')
    const html = (await template('inspector.html')).replaceAll('__CSP_NONCE__', nonce)
    const bases = {auth: url.origin, platform: url.origin, api: url.origin}
    return new Response(html, {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'content-security-policy': pagePolicy(nonce, url.origin, bases),
      },
    })
  }

  return {
    loadServer,
    /** What `startServer` needs to serve sources; `config` says which hosts are ours. */
    development: (/** @type {{publicOrigins: readonly string[]}} */ config) => {
      const hosts = new Set(config.publicOrigins.map((origin) => new URL(origin).host))
      const isKnown = (/** @type {string | undefined} */ host) =>
        host !== undefined && (isLoopbackHost(host) || hosts.has(host))
      return {
        client: {
          indexHtml: () => template('index.html'),
          messagesPath: () => undefined,
          assets: () => [],
          serve: async (/** @type {Request} */ request, /** @type {string} */ pathname) =>
            pathname === '/inspector.html' ? inspectorPage(new URL(request.url)) : undefined,
        },
        front: {
          /** @type {import('vite').Connect.NextHandleFunction} */
          onRequest: (incoming, outgoing, next) => {
            if (isService(incoming.url) || !isKnown(incoming.headers.host)) return next()
            vite.middlewares(incoming, outgoing, next)
          },
          onUpgrade: (
            /** @type {import('node:http').IncomingMessage} */ incoming,
            /** @type {import('node:stream').Duplex} */ socket,
            /** @type {Buffer} */ head,
          ) => {
            if (isKnown(incoming.headers.host)) upgrades.emit('upgrade', incoming, socket, head)
            else socket.destroy()
          },
        },
      }
    },
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
