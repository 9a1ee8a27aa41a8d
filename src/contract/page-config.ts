import {optional, z} from './schema.ts'

/**
 * `<script type="application/json" id="config">` of the page: where the four services are and how this installation
 * signs people in (docs/architecture.md, "Services and their base URLs"). All base URLs without a trailing slash.
 */
export const pageConfig = z.object({
  mode: z._default(z.enum(['production', 'test', 'development']), 'production'),
  platform: optional(z.string()),
  auth: optional(z.string()),
  api: optional(z.string()),
  hub: optional(z.string()),
  /** The one placeholder origin of an installation on localhost (spec §9). */
  siteOrigin: optional(z.string()),
  loginFlow: optional(z.enum(['redirect', 'popup'])),
  cookieDomain: optional(z.string()),
  /**
   * Extensions of the login, `pkce` and `refresh`, and of the platform: `running`, `renewable-files`,
   * `usage-totals`, `account`, `general-plans`, `orders`, `shares`, `answers`, `prompts`,
   * `favourite-models`, `upload-keys`.
   */
  capabilities: optional(z.array(z.string())),
  /** Address that a foreign AI host may call when a task is done; without it none is asked to. */
  callbackBase: optional(z.string()),
  /**
   * `false`: the page's policy keeps images of other hosts out, so that none need be tried. `framed`: it does, and its
   * server has a frame for them (`#domain/image-frame.ts`).
   */
  foreignImages: optional(z.union([z.boolean(), z.literal('framed')])),
})
export type PageConfig = z.infer<typeof pageConfig>
export type ForeignImages = NonNullable<PageConfig['foreignImages']>
