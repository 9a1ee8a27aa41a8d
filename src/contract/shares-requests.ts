import {pageQuery} from './request-schema.ts'
import {identifier, z} from './schema.ts'

/* Bodies and queries of shared links (ours). */

/** POST /shares/: a new link to a snapshot of the conversation as it is now. */
export const shareCreate = z.strictObject({conversation_id: identifier, attachments: z.boolean()})

/** PUT /shares/{id}: a new snapshot under the same link. */
export const shareUpdate = z.strictObject({attachments: z.boolean()})

/** GET /shares/. Sort keys: `created_at`, `updated_at`. */
export const shareQuery = z.strictObject({...pageQuery, conversation_id: z.optional(identifier)})
