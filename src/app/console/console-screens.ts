/* The pages of the console come as one file (vite.config.ts): one import names it in the first script. */
export {ApplicationsRoute} from './applications-route.tsx'
export {CredentialsRoute} from './credentials-route.tsx'
export {ExtraRoute, SubscribeRoute} from './offers-route.tsx'
export {OrderRoute} from './order-route.tsx'
export {OrdersRoute} from './orders-route.tsx'
export {UsagesRoute} from './usages-route.tsx'
