import {and, asc, eq, ne, sql} from 'drizzle-orm'
import {instructionsSave, promptSave} from '#contract/prompts-requests.ts'
import {promptBounds, type SavedPrompt} from '#contract/prompts.ts'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure, notFound} from '../http/failure.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {idOf} from '../platform/fields.ts'
import {instructions, savedPrompts} from '../store/schema/prompts.ts'

const promptView = ({id, name, text}: typeof savedPrompts.$inferSelect): SavedPrompt => ({id, name, text})

/** Saved prompts and instructions (ours), of the token's subject alone. */
export const promptRoutes = ({database, now}: ServerDeps): Route[] => [
  managementRoute('GET', '/prompts/', 'user', {
    handle: ({identity: {userId}}) =>
      database.asUser(userId, async (transaction) => {
        const rows = await transaction.select().from(savedPrompts).orderBy(asc(savedPrompts.name), asc(savedPrompts.id))
        return Response.json({count: rows.length, items: rows.map(promptView)})
      }),
  }),
  managementRoute('PUT', '/prompts/:id', 'user', {
    body: promptSave,
    handle: ({identity: {userId}, params, body}) =>
      database.asUser(userId, async (transaction) => {
        const id = idOf(params)
        // one save of a user at a time, so that two cannot pass the bound together
        await transaction.execute(sql`select pg_advisory_xact_lock(hashtext('prompts'), hashtext(${userId}))`)
        const others = await transaction.$count(savedPrompts, ne(savedPrompts.id, id))
        if (others >= promptBounds.most)
          throw new HttpFailure(409, 'conflict', 'promptsMost', {values: {most: promptBounds.most}})
        const changes = {name: body.name.trim(), text: body.text, updatedAt: now()}
        const [row] = await transaction
          .insert(savedPrompts)
          .values({userId, id, ...changes})
          .onConflictDoUpdate({target: [savedPrompts.userId, savedPrompts.id], set: changes})
          .returning()
        if (row === undefined) throw new Error('The database stored a prompt and returned none')
        return Response.json(promptView(row))
      }),
  }),
  managementRoute('DELETE', '/prompts/:id', 'user', {
    handle: ({identity: {userId}, params}) =>
      database.asUser(userId, async (transaction) => {
        const removedRows = await transaction
          .delete(savedPrompts)
          .where(and(eq(savedPrompts.userId, userId), eq(savedPrompts.id, idOf(params))))
          .returning({id: savedPrompts.id})
        if (removedRows.length === 0) throw notFound()
        return new Response(null, {status: 204})
      }),
  }),
  managementRoute('GET', '/instructions', 'user', {
    handle: ({identity: {userId}}) =>
      database.asUser(userId, async (transaction) => {
        const [row] = await transaction.select().from(instructions)
        return Response.json({text: row?.text ?? ''})
      }),
  }),
  managementRoute('PUT', '/instructions', 'user', {
    body: instructionsSave,
    handle: ({identity: {userId}, body}) =>
      database.asUser(userId, async (transaction) => {
        const changes = {text: body.text.trim(), updatedAt: now()}
        await transaction
          .insert(instructions)
          .values({userId, ...changes})
          .onConflictDoUpdate({target: instructions.userId, set: changes})
        return Response.json({text: changes.text})
      }),
  }),
]
