/// <reference types="vite/client" />

/** Base URLs of the services, set at build time (docs/architecture.md §3). */
interface ImportMetaEnv {
  readonly VITE_BASE_URL_HUB?: string
  readonly VITE_BASE_URL_PLATFORM?: string
  readonly VITE_BASE_URL_AUTH?: string
  readonly VITE_BASE_URL_API?: string
  readonly VITE_SURFACE?: string
}
