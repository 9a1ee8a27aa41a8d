import type {ServerDeps} from '../deps.ts'
import {fileRoutes} from '../files/files.routes.ts'
import {distributionRoutes} from '../distribution/distribution.routes.ts'
import type {Route} from '../http/route.ts'
import {createPackageCatalogue, type PackageCatalogue} from '../orders/package-catalogue.ts'
import {favouriteModelRoutes} from '../prompts/favourite-models.routes.ts'
import {promptRoutes} from '../prompts/prompts.routes.ts'
import {shareRoutes} from '../shares/shares.routes.ts'
import {usageRoutes} from '../usage/usage.routes.ts'
import {apiRoutes} from './apis.routes.ts'
import {applicationRoutes} from './applications.routes.ts'
import type {ChatCatalogue} from './chat-catalogue.ts'
import {noMedia, type MediaCatalogue} from './media-catalogue.ts'
import {credentialRoutes} from './credentials.routes.ts'
import {exchangeRateRoutes} from './exchange-rate.routes.ts'
import {serviceRoutes} from './services.routes.ts'
import {siteRoutes} from './sites.routes.ts'
import {termsRoutes} from './terms.routes.ts'
import {userRoutes} from './users.routes.ts'

/**
 * The management API (`{platform}/api/v1`, spec §7). Throws at once, with a sentence, when the exchange-rate file of
 * the configuration is wrong.
 */
export const platformRoutes = (
  deps: ServerDeps,
  catalogue: ChatCatalogue,
  media: MediaCatalogue = noMedia,
  packages: PackageCatalogue = createPackageCatalogue(deps.config.payments.packages, []),
): Route[] => [
  ...siteRoutes(deps),
  ...termsRoutes(deps),
  ...userRoutes(deps),
  ...serviceRoutes(deps, {chat: catalogue, media, packages}),
  ...applicationRoutes(deps, packages),
  ...credentialRoutes(deps),
  ...exchangeRateRoutes(deps),
  ...fileRoutes(deps),
  ...apiRoutes(deps, {chat: catalogue, media}),
  ...usageRoutes(deps, media.apis),
  ...distributionRoutes(deps),
  ...promptRoutes(deps),
  ...favouriteModelRoutes(deps),
  ...shareRoutes(deps),
]
