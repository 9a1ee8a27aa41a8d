import type {MediaProvider} from './media-provider.ts'
import type {Provider} from './provider.ts'

/**
 * The chat provider of the sandbox (`src/sandbox/`), which answers without any model and says so. Its code is loaded
 * when it is first asked.
 */
export function createSandboxProvider(): Provider {
  let loading: Promise<Provider> | undefined
  const load = () => (loading ??= import('#sandbox/chat.ts').then(({createSandboxChat}) => createSandboxChat()))
  return {
    name: 'sandbox',
    kind: 'sandbox',
    local: true,
    models: async (signal) => (await load()).models(signal),
    chat: async (input, take) => (await load()).chat(input, take),
  }
}

/** The sandbox's media provider, which draws and plays without a model. Its encoders come with the first file. */
export function createSandboxMediaProvider(): MediaProvider {
  let loading: Promise<MediaProvider> | undefined
  const load = () => (loading ??= import('#sandbox/media.ts').then(({createSandboxMedia}) => createSandboxMedia()))
  return {
    name: 'sandbox',
    kind: 'sandbox',
    local: true,
    isRepeatable: true,
    sources: 'read',
    check: async (...request) => (await load()).check(...request),
    make: async (ask) => (await load()).make(ask),
  }
}
