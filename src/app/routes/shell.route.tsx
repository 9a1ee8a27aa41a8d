import {createRoute, Outlet} from '@tanstack/react-router'
import {AppShell} from '../app-shell.tsx'
import {rootRoute} from './root.route.tsx'

/** Everything but the login pages stands in the shell. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: () => (
    <AppShell>
      <Outlet />
    </AppShell>
  ),
})
