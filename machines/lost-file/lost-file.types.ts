import type {ElsewhereFact} from '#domain/lost-file.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {UploadFact} from '#machines/upload/upload.types.ts'

/** `id`: name of the upload, the same in all tabs. */
export type LostFileInput = {parentRef: ParentRef<UploadFact>; id: string}

export type LostFileEvent = ElsewhereFact
