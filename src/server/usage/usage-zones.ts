import {sql} from 'drizzle-orm'
import {badRequest} from '../http/failure.ts'
import type {Database} from '../store/database.ts'

/**
 * Zones that were renamed, with the name that browsers still report (that of Unicode's CLDR) first. Packages of
 * PostgreSQL read the zones of their system, which may lack the old name (Debian 13 and Ubuntu 24.04 have it in
 * `tzdata-legacy`) or be older than the new one.
 */
const renamedZones = [
  ['Africa/Asmera', 'Africa/Asmara'],
  ['America/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['America/Catamarca', 'America/Argentina/Catamarca'],
  ['America/Coral_Harbour', 'America/Atikokan'],
  ['America/Cordoba', 'America/Argentina/Cordoba'],
  ['America/Godthab', 'America/Nuuk'],
  ['America/Indianapolis', 'America/Indiana/Indianapolis'],
  ['America/Jujuy', 'America/Argentina/Jujuy'],
  ['America/Louisville', 'America/Kentucky/Louisville'],
  ['America/Mendoza', 'America/Argentina/Mendoza'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Asia/Katmandu', 'Asia/Kathmandu'],
  ['Asia/Rangoon', 'Asia/Yangon'],
  ['Asia/Saigon', 'Asia/Ho_Chi_Minh'],
  ['Atlantic/Faeroe', 'Atlantic/Faroe'],
  ['Europe/Kiev', 'Europe/Kyiv'],
  ['Pacific/Enderbury', 'Pacific/Kanton'],
  ['Pacific/Ponape', 'Pacific/Pohnpei'],
  ['Pacific/Truk', 'Pacific/Chuuk'],
] as const

/** `inDatabase`: the name to count by. `answered`: the zone whose hours and days these are. */
type CountedZone = {inDatabase: string; answered: string}

const isZone = (name: string): boolean => {
  // Offsets such as `+05:30` are refused: PostgreSQL reads their sign the other way round.
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false
  try {
    new Intl.DateTimeFormat('en', {timeZone: name})
    return true
  } catch {
    return false
  }
}

/**
 * The name by which a database with these zone names (in small letters) counts a zone: its alias if the database lacks
 * the name, UTC if it lacks both. `undefined`: no such zone.
 */
export function zoneFor(name: string, zoneNames: ReadonlySet<string>): CountedZone | undefined {
  if (!isZone(name)) return undefined
  const same = renamedZones.find((names) => names.some((each) => each.toLowerCase() === name.toLowerCase()))
  const inDatabase = [name, ...(same ?? [])].find((each) => zoneNames.has(each.toLowerCase()))
  return inDatabase === undefined ? {inDatabase: 'UTC', answered: 'UTC'} : {inDatabase, answered: name}
}

/** Zones as this database counts them; their names are read once. */
export function createUsageZones(database: Pick<Database, 'asSystem'>) {
  let reading: Promise<ReadonlySet<string>> | undefined
  const read = async (): Promise<ReadonlySet<string>> => {
    const {rows} = await database.asSystem((transaction) =>
      transaction.execute<{name: string}>(sql`select lower(name) as name from pg_timezone_names`),
    )
    return new Set(rows.map(({name}) => name))
  }
  const knownNames = () => {
    reading ??= read().catch((error: unknown) => {
      reading = undefined
      throw error
    })
    return reading
  }
  /** @throws HttpFailure 400 for a name outside the IANA list */
  return async (name: string): Promise<CountedZone> => {
    const zone = zoneFor(name, await knownNames())
    if (zone === undefined) throw badRequest('fieldInvalid', 'time_zone')
    return zone
  }
}
