import {isLoopbackAddress} from '#domain/loopback.ts'
import {isLoopback} from './config-values.ts'
import type {Config} from './config.ts'

/** Whether other machines reach the installation: by its address, or through a proxy that the origins speak of. */
export function isReachable({
  host,
  publicOrigins,
  serviceOrigins,
}: Pick<Config, 'host' | 'publicOrigins' | 'serviceOrigins'>): boolean {
  const origins = [...publicOrigins, ...Object.values(serviceOrigins).filter((origin) => origin !== undefined)]
  return !isLoopback(host) || origins.some((origin) => !isLoopbackAddress(origin))
}
