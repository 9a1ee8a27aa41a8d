import {eq} from 'drizzle-orm'
import {setTimeout} from 'node:timers/promises'
import type {ServerDeps} from '../deps.ts'
import type {Database} from '../store/database.ts'
import {sites} from '../store/schema/platform.ts'

export type Face = Pick<typeof sites.$inferSelect, 'title' | 'favicon' | 'description' | 'keywords' | 'features'>

/** Milliseconds after which changes of another node are shown; the app itself reads the site anyway. */
const freshMilliseconds = 5_000
/** The first paint waits no longer: a page without its site's words is better than none. */
const patienceMilliseconds = 300

type FaceEntry = {face: Face | undefined; askedAt: number; isOver: boolean; asked: Promise<void>}

const facesByDatabase = new WeakMap<Database, Map<string, FaceEntry>>()

const facesOf = (database: Database): Map<string, FaceEntry> => {
  const faces = facesByDatabase.get(database) ?? new Map<string, FaceEntry>()
  facesByDatabase.set(database, faces)
  return faces
}

/**
 * Finds the values of a site for browsers, search engines and link previews: the last known ones if the database is
 * slow or away. Never rejects.
 */
export async function findFace(
  {database, now}: Pick<ServerDeps, 'database' | 'now'>,
  siteOrigin: string,
): Promise<Face | undefined> {
  const faces = facesOf(database)
  const at = now().getTime()
  let entry = faces.get(siteOrigin)
  if (entry === undefined || (entry.isOver && at - entry.askedAt >= freshMilliseconds)) {
    const next: FaceEntry = {face: entry?.face, askedAt: at, isOver: false, asked: Promise.resolve()}
    next.asked = ask(database, siteOrigin)
      .then((face) => {
        next.face = face
      })
      // the page says what is known; that the database is away, its services say
      .catch(() => undefined)
      .finally(() => {
        next.isOver = true
      })
    faces.set(siteOrigin, next)
    entry = next
  }
  // only the first requests wait: others get the last known values during a refresh
  if (!entry.isOver && at - entry.askedAt < patienceMilliseconds) {
    await Promise.race([entry.asked, setTimeout(patienceMilliseconds, undefined, {ref: false})])
  }
  return entry.face
}

/** A site was saved: the next page reads it. */
export const forgetFace = (database: Database, siteOrigin: string): void => {
  facesOf(database).delete(siteOrigin)
}

async function ask(database: Database, siteOrigin: string): Promise<Face | undefined> {
  const {title, favicon, description, keywords, features} = sites
  const [face] = await database.asSystemOnce((transaction) =>
    transaction
      .select({title, favicon, description, keywords, features})
      .from(sites)
      .where(eq(sites.origin, siteOrigin)),
  )
  return face
}
