import {and, eq, inArray, isNull} from 'drizzle-orm'
import {chatServiceId} from '#contract/chat.ts'
import type {Service} from '#contract/management.ts'
import {packageView, type PackageCatalogue} from '../orders/package-catalogue.ts'
import type {Transaction} from '../store/database.ts'
import {applications, services} from '../store/schema/platform.ts'
import type {ChatCatalogue} from './chat-catalogue.ts'
import type {MediaCatalogue} from './media-catalogue.ts'
import {present} from './fields.ts'

export type ServiceRow = typeof services.$inferSelect

export type Catalogues = {chat: ChatCatalogue; media: MediaCatalogue; packages: PackageCatalogue}

/**
 * A service on the wire. `metadata` of chat and of media tools is filled at read time from the catalogues, so that it
 * names who would answer now; `applied` says whether the caller has an application of its own for it.
 */
export async function serviceView(
  row: ServiceRow,
  {chat, media, packages}: Catalogues,
  isApplied: boolean,
): Promise<Service> {
  const metadata =
    row.id === chatServiceId
      ? {...row.metadata, ...(await servedMetadata(chat))}
      : media.metadataOf(row.id, row.metadata)
  return {...storedServiceView(row), applied: isApplied, metadata, packages: packages.offersOf(row.id).map(packageView)}
}

const servedMetadata = async (catalogue: ChatCatalogue) => ({
  models: [...(await catalogue.models())],
  capabilities: [...catalogue.capabilities],
  sandbox: catalogue.sandbox,
})

/** A service as it is stored, for applications, which do not need the list of models. */
export const storedServiceView = (row: ServiceRow): Service =>
  present({
    id: row.id,
    title: row.title,
    unit: row.unit,
    price: Number(row.price),
    description: row.description,
    introduction: row.introduction,
    thumbnail: row.thumbnail,
    free_amount: Number(row.freeAmount),
    tags: row.tags,
    metadata: row.metadata,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  })

/** The services among these that the user has applied for, read in the user's own transaction. */
export async function appliedServices(
  transaction: Transaction,
  rows: readonly ServiceRow[],
): Promise<Set<string | null>> {
  if (rows.length === 0) return new Set()
  const own = await transaction
    .select({serviceId: applications.serviceId})
    .from(applications)
    .where(
      and(
        inArray(
          applications.serviceId,
          rows.map((row) => row.id),
        ),
        isNull(applications.deletedAt),
      ),
    )
  return new Set(own.map((row) => row.serviceId))
}

export async function findService(transaction: Transaction, id: string): Promise<ServiceRow | undefined> {
  const [row] = await transaction.select().from(services).where(eq(services.id, id))
  return row
}
