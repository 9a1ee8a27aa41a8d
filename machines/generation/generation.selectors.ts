import type {UploadActor} from '#machines/upload/upload.machine.ts'
import type {GenerationSnapshot} from './generation.machine.ts'
import {uploadId} from './generation.setup.ts'

type Snapshot = GenerationSnapshot

/** The same object until a field changes. */
export const selectForm = ({context}: Snapshot) => context.form
export const selectFaults = ({context}: Snapshot) => context.faults
/** Nothing is wrong with the form; uploads and set-up are waited for, so they do not count. */
export const selectIsValid = ({context}: Snapshot) => context.faults.length === 0
/** Faults are shown from the first try on. */
export const selectShowsFaults = ({context}: Snapshot) => context.showsFaults
/** The first thing that is wrong with the form, once faults are shown. */
export const selectShownFault = ({context}: Snapshot) => (context.showsFaults ? context.faults[0] : undefined)
/** A file that could not be uploaded stood in the way of a request. */
export const selectShowsFailedUpload = ({context}: Snapshot) =>
  context.showsFaults && context.uploads.some(({state}) => state === 'failed')
/** Fields the last change set back to their default. */
export const selectDropped = ({context}: Snapshot) => context.dropped
/** All files of the form, in the order they were chosen. The same array until one of them changes. */
export const selectUploads = ({context}: Snapshot) => context.uploads
export const selectIsUploading = ({context}: Snapshot) =>
  context.uploads.some(({state}) => state === 'queued' || state === 'running')

/** The actor of one file: progress, faults and failures. */
export const selectUpload = ({children}: Snapshot, id: string): UploadActor | undefined =>
  // as: children are typed by id, and these ids are made at run time by the one action that spawns uploads
  children[uploadId(id)] as UploadActor | undefined

/** Why the last request was refused. */
export const selectFailure = ({context}: Snapshot) => context.failure
export const selectIsBusy = (snapshot: Snapshot) => snapshot.hasTag('busy')
export const selectIsSent = (snapshot: Snapshot) => snapshot.hasTag('sent')
/** Generate was pressed and waits for files on their way. */
export const selectWaitsForUploads = (snapshot: Snapshot) => snapshot.hasTag('uploading')
/** Generate was pressed and the tool has to be set up first. */
export const selectNeedsSetup = (snapshot: Snapshot) => snapshot.hasTag('needsSetup')
/** There are not enough credits for the last request. */
export const selectIsUsedUp = (snapshot: Snapshot) => snapshot.hasTag('usedUp')
