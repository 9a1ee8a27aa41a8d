import {enqueueActions, fromPromise} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {Site} from '#contract/management.ts'
import {siteFormMachine} from '#machines/site-form/site-form.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import {uploadFile} from '../chat/upload-file.ts'
import type {Services} from './services.ts'

type SiteFormLookup = {
  site: () => SiteActor | undefined
  /** Bytes of a chosen image. */
  fileOf: (id: string) => File | undefined
}

/** Fills the ports of the site's form: the sites API, the files API, and the rest of the page. */
export function createSiteFormLogic(
  {management, files}: Pick<Services, 'management' | 'files'>,
  lookup: SiteFormLookup,
) {
  const {sites} = management
  const upload = uploadFile(files)
  return siteFormMachine.provide({
    actors: {
      // the first page of an installation may be this one: its site is made while it opens
      readSite: fromPromise<Site | undefined, {origin: string}>(
        async ({input: {origin}, signal}) =>
          (await sites.findByOrigin(origin, signal)) ?? sites.initialize(origin, signal),
      ),
      saveSite: fromPromise<Site, {site: Site}>(({input: {site}, signal}) => sites.update(site.id ?? '', site, signal)),
      uploadImage: fromPromise<string, {file: ChosenFile}>(async ({input, signal}) => {
        const file = lookup.fileOf(input.file.id)
        if (file === undefined) throw new ApiError({code: 'unknown', detail: 'The image is not there any more.'})
        const {url} = await upload(file, {signal, onProgress: () => {}})
        return url
      }),
    },
    actions: {
      shareSite: enqueueActions(({enqueue}, {site}) => {
        const page = lookup.site()
        if (page !== undefined) enqueue.sendTo(page, {type: 'site.changed', site})
      }),
    },
  })
}
