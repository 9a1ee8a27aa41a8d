import type {ServerDeps} from '../deps.ts'
import type {Route} from '../http/route.ts'
import {loginRoutes} from './login.routes.ts'
import {tokenRoutes} from './token.routes.ts'

/** Everything of the auth service; paths below its base (`/services/auth`, or its own origin). */
export const authRoutes = (deps: ServerDeps): Route[] => [...loginRoutes(deps), ...tokenRoutes(deps)]
