import type {Log} from '../log.ts'
import {createOpenaiProvider} from './openai/openai-provider.ts'
import {realOutboundPorts, type OutboundPorts} from './outbound.ts'
import type {Provider} from './provider.ts'

/** Model servers that people run beside Atrium, on their usual loopback ports (backends 4.3). */
const usualLocalServers = [
  {name: 'ollama', port: 11434},
  {name: 'lmstudio', port: 1234},
  {name: 'llamacpp', port: 8080},
] as const
export type LocalServer = {name: string; port: number}

export type DetectOptions = {
  log: Log
  ports?: OutboundPorts
  servers?: readonly LocalServer[]
  /** How long a port may take to list its models, in milliseconds. */
  deadline?: number
}

/**
 * Asks the usual loopback ports for their models and returns a provider for each that answers as a model server. A port
 * on which nothing or something else answers is simply not offered.
 */
export async function detectLocalProviders(options: DetectOptions): Promise<Provider[]> {
  const {log, ports = realOutboundPorts, servers = usualLocalServers, deadline = 700} = options
  const localProviders = await Promise.all(
    servers.map(async ({name, port}) => {
      const provider = createOpenaiProvider(
        {
          name,
          kind: 'openai',
          baseUrl: `http://127.0.0.1:${port}/v1`,
          apiKey: undefined,
          groups: ['chatgpt'],
          models: [],
          local: true,
        },
        {log, ports, modelsDeadline: deadline},
      )
      const models = await provider.models(AbortSignal.timeout(deadline * 2)).catch(() => [])
      return models.length > 0 ? provider : undefined
    }),
  )
  return localProviders.filter((provider) => provider !== undefined)
}
