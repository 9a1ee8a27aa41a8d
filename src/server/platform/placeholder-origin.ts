import {randomUUID} from 'node:crypto'
import type {ServerDeps} from '../deps.ts'
import {settledValue} from '../store/installation-value.ts'

/**
 * Site origin of an installation that is used on localhost (spec §9): `http://localhost-<uuid>`, made once per
 * installation and kept. The page configuration gives it to the client as `siteOrigin`.
 */
export const placeholderOrigin = ({database}: Pick<ServerDeps, 'database'>): Promise<string> =>
  settledValue(database, 'placeholder_origin', `http://localhost-${randomUUID()}`)
