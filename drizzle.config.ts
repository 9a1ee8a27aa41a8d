import {defineConfig} from 'drizzle-kit'

/** `npx drizzle-kit generate` writes the next migration from the schema; it needs no database. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './src/server/store/schema/*.ts',
  out: './src/server/store/migrations',
})
