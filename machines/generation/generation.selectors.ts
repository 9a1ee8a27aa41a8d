import type {FormFault} from '#contract/media/media-tool.ts'
import type {UploadActor} from '#machines/upload/upload.machine.ts'
import type {GenerationSnapshot} from './generation.machine.ts'
import {isTravelling} from './generation.rules.ts'
import {uploadId} from './generation.setup.ts'

type Snapshot = GenerationSnapshot

/** The same object until a field changes. */
export const selectForm = ({context}: Snapshot) => context.form
/** Faults are shown from the first try on. */
export const selectShowsFaults = (snapshot: Snapshot) => snapshot.hasTag('checked')
/** The faults of the form, once they are shown; none of a field whose file is on its way. */
export const selectShownFaults = (snapshot: Snapshot): readonly FormFault[] => {
  const {faults, uploads} = snapshot.context
  if (!selectShowsFaults(snapshot)) return []
  return faults.filter((fault) => !uploads.some((upload) => upload.field === fault.field && isTravelling(upload)))
}
/** A file that could not be uploaded stood in the way of a request. */
export const selectShowsFailedUpload = (snapshot: Snapshot) =>
  snapshot.hasTag('checked') && snapshot.context.uploads.some(({state}) => state === 'failed')
/** Fields the last change set back to their default. */
export const selectDropped = ({context}: Snapshot) => context.dropped
/** All files of the form, in the order they were chosen. The same array until one of them changes. */
export const selectUploads = ({context}: Snapshot) => context.uploads

/** The order of the files of each field that has uploads: ids of uploads, and values that came from elsewhere. */
export const selectOrders = ({context}: Snapshot) => context.orders

/** The actor of one file: progress, faults and failures. */
export const selectUpload = ({children}: Snapshot, id: string): UploadActor | undefined => children[uploadId(id)]
