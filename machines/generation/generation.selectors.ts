import type {UploadActor} from '#machines/upload/upload.machine.ts'
import type {GenerationSnapshot} from './generation.machine.ts'
import {uploadId} from './generation.setup.ts'

type Snapshot = GenerationSnapshot

/** The same object until a field changes. */
export const selectForm = ({context}: Snapshot) => context.form
export const selectFaults = ({context}: Snapshot) => context.faults
/** Faults are shown from the first try on. */
export const selectShowsFaults = (snapshot: Snapshot) => snapshot.hasTag('checked')
/** The first thing that is wrong with the form, once faults are shown. */
export const selectShownFault = (snapshot: Snapshot) =>
  snapshot.hasTag('checked') ? snapshot.context.faults[0] : undefined
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
