import {z} from './schema.ts'

/*
 * Models that a user marked, by name. The value is the time of the last press in unix milliseconds, negative if it
 * removed the mark: what several devices say can be merged in any order. Ours, only if the page's configuration offers
 * `favourite-models`.
 */

/** Most models of one answer or save. */
const most = 1_000

export const favouriteModels = z.object({
  marks: z
    .record(z.string().check(z.minLength(1), z.maxLength(200)), z.int())
    .check(z.refine((marks) => Object.keys(marks).length <= most)),
})
