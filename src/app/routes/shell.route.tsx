import {createRoute, Outlet} from '@tanstack/react-router'
import {AppShell} from '../app-shell.tsx'
import {rootRoute} from './root.route.tsx'

/** Every page except the login pages is inside the shell. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
})
