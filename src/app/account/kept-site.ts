import {site} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {parseJson} from '#domain/parse-json.ts'
import {openStorage} from '#browser/storage.ts'
import {createStoredText} from '#browser/stored-text.ts'
import type {KeptChanges} from '#machines/site-form/site-form.types.ts'

const keptSite = z.object({userId: z.string(), origin: z.string(), read: site, changed: site})

const siteText = createStoredText(openStorage('sessionStorage'), 'atrium.site')

type Owner = {userId: string; origin: string}

/** Reads a user's changes of one site that this tab kept: a session that ends, or a reload, loses nothing typed. */
export function readKeptSite({userId, origin}: Owner): KeptChanges | undefined {
  const parsing = keptSite.safeParse(parseJson(siteText.read() ?? ''))
  if (!parsing.success || parsing.data.userId !== userId || parsing.data.origin !== origin) return undefined
  const {read, changed} = parsing.data
  return {read, changed}
}

export const keepSite = (owner: Owner, changes: KeptChanges | undefined): void =>
  siteText.write(changes && JSON.stringify({...owner, ...changes}))
