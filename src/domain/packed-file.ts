/** A file on its way into an archive, under the name it has there. */
export type PackedFile = {url: string; name: string}
export type PackFact = {type: 'file.packed'} | {type: 'file.failed'; name: string}
