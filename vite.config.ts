import {readdirSync} from 'node:fs'
import {join} from 'node:path'
import react from '@vitejs/plugin-react'
import {defaultClientConditions, defineConfig} from 'vite'
import {classNameOf} from './src/tools/class-names.mjs'
import {compileHintPlugin} from './src/tools/compile-hint.mjs'
import {bootScriptPlugin} from './src/tools/boot-script.mjs'
import {localesPlugin} from './src/tools/locales-plugin.mjs'
import {mediaToolsPlugin} from './src/tools/media-tools.mjs'
import {serviceWorkerPlugin} from './src/tools/service-worker.mjs'
import {workerThreadsPlugin} from './src/tools/worker-threads.mjs'

/**
 * Schemas of requests are for the server, but `management.ts` passes them on. They are made by calls, which a bundler
 * keeps although nothing uses them: this leaves them out of the first script, which would be 0.5 KB larger (brotli).
 */
const moduleSideEffects = (id: string) =>
  /\/src\/contract\/([a-z-]+-requests|request-schema)\.ts$/.test(id) ? false : undefined

const sources = new Set(
  readdirSync(join(import.meta.dirname, 'src'), {recursive: true, encoding: 'utf8'}).map((file) =>
    file.replaceAll('\\', '/').replace(/\.(tsx?|css)$/, ''),
  ),
)

/** The names that a pattern like `ui/(key|star)-icons` stands for. */
function namesOf(pattern: string): string[] {
  const [group, choices] = /\(([^()]*)\)/.exec(pattern) ?? []
  return group === undefined || choices === undefined
    ? [pattern]
    : choices.split('|').flatMap((choice) => namesOf(pattern.replace(group, choice)))
}

/** Files of `src`, without their ending. Each has to exist: a renamed file would move to another chunk unnoticed. */
function files(...patterns: string[]): RegExp {
  const absent = patterns.flatMap(namesOf).filter((name) => !sources.has(name))
  if (absent.length > 0)
    throw new Error(`No file of src has this name: ${absent.join(', ')}. Mend the groups of vite.config.ts.`)
  return new RegExp(`/src/(${patterns.join('|').replaceAll('.', '\\.')})\\.(tsx?|css)$`)
}

/**
 * The first screen (`/` is a new chat) is one script and one style sheet with all they import: together they compress
 * 6 KB better than apart, and nothing of it waits for another file. So is the screen of the media tools. Parts that
 * open after these have files of their own.
 */
const screens = {
  groups: [
    {
      name: 'app',
      priority: 2,
      test: files(
        'app/main',
        'app/skeleton',
        'features/chat/use-thread-words',
        'ui/tokens',
        'ui/base',
        'ui/button-class',
      ),
    },
    // a browser that has stored nothing yet reads nothing
    {name: 'database', test: /\/node_modules\/localforage\/|\/src\/browser\/bulk-records\.ts$/},
    // what goes to the login page and comes back
    {
      name: 'login',
      test: files('app/logic/leave-to-login', 'browser/login-transactions', 'api/pkce', 'domain/login-loop'),
    },
    // the tasks of a user who is in the chat need no more than this
    {
      name: 'tasks',
      priority: 1,
      test: files('app/logic/media/(media.logic|browser-media-deps)', 'domain/favourites'),
    },
    // the player comes with the first song; a list of songs asks what it plays
    {name: 'player', priority: 1, test: files('app/logic/media/browser-player', 'app/media/player-zone')},
    {name: 'playing', priority: 2, test: /\/machines\/player\/player\.selectors\.ts$/},
    {
      name: 'media',
      test: files(
        'app/media/(media-route|held-files)',
        'app/logic/media/generation.logic',
        'contract/media/media-(fields|answer)',
        // what images, videos and songs have in common: a screen that somebody has used shows results
        'features/media/feed/(feed|card-keys|favourite-button|lazy-menu|result-image|still-image|elapsed|state-text)',
        'features/media/(use-commands|duration)',
        'features/media/select/(selection|select-box|use-pick)',
        'features/media/fields/chips-field',
        'contract/rule',
      ),
    },
    // with the dialog of the login, while that is on the way
    {name: 'login-help', test: files('features/auth/login-help', 'browser/login-messages', 'contract/login-message')},
    // what the shell opens over a page or in its place: each alone is smaller than what naming a file costs
    {
      name: 'shell',
      test: files(
        'app/shell/(application-choice|start-dialogs)',
        'app/commands/preferences',
        'ui/account-icons',
        'features/shell/settings/(theme-choice|language-list|languages)',
        'features/auth/(login-dialog|qr-dialog)',
        'features/shell/(application-list|first-run-dialog|not-found-page|test-badge)',
      ),
    },
    // what answers, tasks and the console have in common; without a name it would be part of the console
    {
      name: 'calls',
      priority: 1,
      test: /\/machines\/call\/|\/rxjs\/dist\/esm\/internal\/(ReplaySubject|observable\/of|operators\/(take|share|shareReplay|switchMap))\.js$/,
    },
    // pages of the console share their table, and each alone is small
    {
      name: 'console',
      test: /\/src\/(app\/console|features\/console|ui\/table)\/|\/src\/(domain\/(api-|list-sort)|ui\/(key|console)-icons)|\/machines\/(resource-list|order-create|order-lead|order-payment|api-keys)\//,
    },
    {
      name: 'sign-in',
      test: files('app/(gate|config-failure)', 'app/account/auth-routes', 'features/auth/auth-page'),
    },
    {
      name: 'streams',
      test: files(
        'api/(answer-stream|follow-stream|ndjson|cut-history|conversation-changes)',
        'app/(chat/streams|logic/(answer-feed.logic|answer-slot))',
        'browser/(answer-channel|stream-slots|streams/(collected-body|pause|reading-rest|stream-fetch|worker-request))',
        'contract/answer-frames',
      ),
    },
    {
      name: 'thread',
      test: /\/src\/(features\/chat\/(thread-views|conversation-thread|composer-attachments|attachment|file-drops|composer-notes|prompt-menu|use-prompts|composer-hints|follow-up-list|share-button|list\/(title-editor|windowed-conversations|missing-conversation)|answer-facts|markdown\/(safe-link|highlighter))|app\/(chat\/(answer-details|thread-parts|delete-pending|pending-deletions)|logic\/claim-follow-up)|api\/answer-details)\.tsx?$|\/machines\/(answer-details|message-changes|pending-deletions|read-aloud)\/|(follow-ups|sent-online)\.selectors/,
    },
    // of a conversation and of the profile page; readers of what is shared need its calls alone
    {
      name: 'shares',
      test: /\/src\/(features\/share\/share(-list\.tsx|\.module\.css)|app\/share\/use-share-links\.ts)$|\/machines\/share-links\//,
    },
    {
      name: 'rows',
      priority: 1,
      // and what the list, the palette, the thread and the choice of a model have in common
      test: RegExp(
        `${
          files(
            'features/chat/list/(conversation-rows|several-bar)',
            'app/(chat/list-parts|commands/other-words|english-words)',
            'contract/imports',
            'domain/(fold-text|search-words)',
            'features/chat/searched-words',
          ).source
        }|/list-rows\\.selectors\\.ts$`,
      ),
    },
    {name: 'search', priority: 1, test: files('app/chat/search', 'features/chat/list/search-results')},
    {
      name: 'models',
      test: files(
        'app/chat/(model-choice|favourite-models)',
        'features/chat/(model-(list|facts|sections|lines)|matching-models)',
      ),
    },
    {
      name: 'use-in',
      test: files(
        'app/media/(put-result|own-results|tool-choice)',
        'browser/layer-entry',
        'features/media/result-picker',
      ),
    },
    // of the settings and of the profile page
    {name: 'chat-settings', test: files('app/chat/chat-settings')},
    {
      name: 'account',
      test: /\/src\/((app|features)\/distribution|app\/account\/(account-parts|profile-route)|features\/profile)/,
    },
    // usage is counted by tool
    {name: 'tools', priority: 2, test: /virtual:media-tools$/},
    // the list of models and the media screens have these in common
    {name: 'prices', priority: 2, test: /\/src\/domain\/price-rules\.ts$/},
    // what pages of the console, media tools and the rows of the chat have in common
    {
      name: 'controls',
      priority: 2,
      test: files(
        'app/logic/server-clock',
        'browser/save-blob',
        'domain/(date-time|file-rules|isolated-text|left-to-right)',
        'features/shell/tool-mark',
        'ui/(money-text|segmented|star-icons|take-focus|time-text)',
        'ui/forms/(field|select|switch|text-area)',
      ),
    },
    // and what the console has in common with the chat and the settings
    {
      name: 'notes',
      priority: 2,
      test: files(
        'app/(chat/upload-file|unseen-end)',
        'domain/exact-amount',
        // of the list and its command, which every page has
        'features/chat/list/list-request',
        'api/(download|shares|stall-watch)',
        'ui/(empty-state|later-icons|problem|share-icon|surface.module)',
      ),
    },
    // what a thread has in common with lists and viewers of results, which do without the rest of it
    {name: 'windowed', priority: 2, test: /\/node_modules\/virtua\/|\/src\/ui\/viewer-icons\.tsx$/},
    // what two overlays have in common is one file: the first screen names each file of a part, however small
    {name: 'overlays', minShareCount: 2, test: /\/node_modules\/@(base-ui|floating-ui)\/|\/src\/ui\/overlays\//},
    // with the first file of a form
    {name: 'uploads', test: files('features/media/fields/file-tiles', 'app/logic/media/upload.logic')},
    {
      name: 'songs',
      test: files(
        'features/media/songs/(song-results|song-group|song-detail|song-videos|lazy-row)',
        'features/media/use-targets',
      ),
    },
    // with the menus of a result
    {name: 'result-commands', test: files('features/media/(result-menus|save-file|send-frame)')},
    {name: 'task-commands', test: files('app/commands/task-commands', 'app/logic/follow-ended-tasks')},
    // with the entries of the account menu
    {
      name: 'after-start',
      priority: 1,
      test: /\/src\/(app\/(after-start|account\/(account-menu-entries|leave-guard|site-access))|browser\/(key-press|single-keys)|domain\/site-editor|features\/shell\/account-entries)\.tsx?$|\/machines\/site-access\//,
    },
    // the palette, the list of keys, the settings and the import; what they share with other screens stays with those
    {
      name: 'commands',
      test: /\/src\/(app\/(commands\/(?!task)|chat\/import)|features\/(shell\/(commands|settings)|chat\/import\/(?!import\.worker))|browser\/(recent-commands|keyboard-layout|clear-device|import-file-error)|domain\/(fuzzy|command-keys|import-))|\/machines\/(command-keys|background-notices|conversation-import)\//,
    },
  ],
}

/** Browsers of 2026 have oklch, light-dark(), :dir() and nesting. Older forms of each would cost 1.1 KB. */
const cssTarget = ['chrome123', 'edge123', 'firefox121', 'safari17.5']

/** Short hashes: names do not compress, and the first screen lists ninety. The build takes no fewer than seven. */
const shortNames = {
  entryFileNames: 'assets/[name]-[hash:7].js',
  chunkFileNames: 'assets/[name]-[hash:7].js',
  assetFileNames: 'assets/[name]-[hash:7][extname]',
}

/** A start after a clone builds: it shows a warning only where something is to be done. */
const isExpected = (message: string) =>
  // unzipit asks for Node's threads only where there is no worker of a browser
  message.includes('"node:worker_threads" has been externalized')

/**
 * Packages of many files that every start of the server loads: the build holds them, since Node takes 0.3 seconds of a
 * processor to find and open six hundred (docs/decisions/0177-a-server-of-few-files.md).
 */
const bundledPackages = ['@hono/node-server', 'culori', 'drizzle-orm', 'hono', 'stripe', 'zod']

/** `vite build` makes the client; `vite build --ssr` (src/tools/build.mjs) the server. */
export default defineConfig(({isSsrBuild}) => ({
  plugins: [
    react(),
    bootScriptPlugin(),
    compileHintPlugin(),
    localesPlugin(),
    mediaToolsPlugin(),
    serviceWorkerPlugin(),
    workerThreadsPlugin(),
  ],
  resolve: {
    // rxjs serves classes and no tslib under this condition
    ...(isSsrBuild ? {} : {conditions: ['es2015', ...defaultClientConditions]}),
  },
  ...(isSsrBuild ? {ssr: {noExternal: bundledPackages}} : {}),
  css: {modules: {generateScopedName: classNameOf}},
  html: {cspNonce: '__CSP_NONCE__'},
  build: isSsrBuild
    ? {outDir: 'dist/server', target: 'node20', ssr: 'src/server/main.ts', emptyOutDir: true, minify: false}
    : {
        outDir: 'dist/client',
        target: 'es2022',
        cssTarget,
        // bytes on the wire have a budget of their own (e2e/budget.spec.ts)
        chunkSizeWarningLimit: 1_000,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        // the server's page preloads the messages of its language (src/server/http/static-files.ts)
        manifest: true,
        modulePreload: {polyfill: false},
        rolldownOptions: {
          treeshake: {moduleSideEffects},
          output: {codeSplitting: screens, ...shortNames},
          onLog: (level, log, report) => {
            if (!isExpected(log.message)) report(level, log)
          },
        },
      },
}))
