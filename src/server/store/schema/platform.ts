import {sql} from 'drizzle-orm'
import {index, jsonb, pgTable, text, timestamp, uniqueIndex, uuid} from 'drizzle-orm/pg-core'
import type {Site} from '#contract/management.ts'
import {createdAt, credits, id, updatedAt} from './columns.ts'
import {tokenFamilies, userId} from './people.ts'

/* Sites, services, applications and their keys. */

export const sites = pgTable(
  'sites',
  {
    id: id(),
    origin: text('origin').notNull(),
    title: text('title'),
    logo: text('logo'),
    favicon: text('favicon'),
    description: text('description'),
    keywords: text('keywords')
      .array()
      .notNull()
      .default(sql`'{}'`),
    admins: uuid('admins')
      .array()
      .notNull()
      .default(sql`'{}'`),
    features: jsonb('features').$type<NonNullable<Site['features']>>().notNull().default({}),
    distribution: jsonb('distribution').$type<NonNullable<Site['distribution']>>().notNull().default({}),
    accent: jsonb('accent').$type<{hue: number; chroma: number}>(),
    metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
    tags: text('tags')
      .array()
      .notNull()
      .default(sql`'{}'`),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [uniqueIndex('sites_origin').on(table.origin)],
)

export const services = pgTable('services', {
  id: id(),
  title: text('title').notNull(),
  unit: text('unit').notNull().default('Credit'),
  price: credits('price').notNull().default('0'),
  description: text('description'),
  introduction: text('introduction'),
  thumbnail: text('thumbnail'),
  freeAmount: credits('free_amount').notNull().default('0'),
  tags: text('tags')
    .array()
    .notNull()
    .default(sql`'{}'`),
  metadata: jsonb('metadata').$type<Record<string, unknown>>().notNull().default({}),
  createdAt: createdAt(),
  updatedAt: updatedAt(),
})

export const applications = pgTable(
  'applications',
  {
    id: id(),
    userId: userId(),
    type: text('type', {enum: ['Usage', 'Period']})
      .notNull()
      .default('Usage'),
    scope: text('scope', {enum: ['Individual', 'Global']})
      .notNull()
      .default('Individual'),
    serviceId: uuid('service_id').references(() => services.id),
    /** Credits that can be spent: granted + bought − settled − held. Written by the ledger alone, under a row lock. */
    remainingAmount: credits('remaining_amount').notNull().default('0'),
    usedAmount: credits('used_amount').notNull().default('0'),
    expiredAt: timestamp('expired_at', {withTimezone: true}),
    /** Deleting hides it and revokes its keys; applying again brings it back with its balance (free credits once). */
    deletedAt: timestamp('deleted_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    index('applications_user').on(table.userId),
    uniqueIndex('applications_global')
      .on(table.userId, table.type)
      .where(sql`scope = 'Global'`),
    uniqueIndex('applications_individual')
      .on(table.userId, table.serviceId, table.type)
      .where(sql`scope = 'Individual'`),
  ],
)

/** The application that a row belongs to and goes with. */
export const applicationId = () =>
  uuid('application_id')
    .notNull()
    .references(() => applications.id, {onDelete: 'cascade'})

/**
 * Keys of an application. The token itself is not stored: it is computed from the id and the installation's secret, and
 * looked up by its hash (security R25). `host` is an origin: such a key is made for a browser and lives 24 h.
 */
export const credentials = pgTable(
  'credentials',
  {
    id: id(),
    userId: userId(),
    applicationId: applicationId(),
    name: text('name'),
    type: text('type', {enum: ['Token', 'Identity']})
      .notNull()
      .default('Token'),
    host: text('host'),
    tokenHash: text('token_hash').notNull(),
    /** The sign-in this browser key was made in; revoked with it at logout. */
    familyId: uuid('family_id').references(() => tokenFamilies.id, {onDelete: 'set null'}),
    usedAmount: credits('used_amount').notNull().default('0'),
    expiredAt: timestamp('expired_at', {withTimezone: true}),
    revokedAt: timestamp('revoked_at', {withTimezone: true}),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    uniqueIndex('credentials_hash').on(table.tokenHash),
    index('credentials_application').on(table.applicationId),
    index('credentials_user').on(table.userId),
  ],
)
