import type { Db, Role } from '@sightline/platform/db'
import { Gauge, type Registry } from 'prom-client'

/** Connections of the front process to the database, by the role that they are for. */
export function registerPoolMetrics(registry: Registry, pools: ReadonlyMap<Role, Pick<Db, 'connections'>>): void {
  new Gauge({
    name: 'sightline_database_connections',
    help: 'Database connections by role and state (busy, idle).',
    labelNames: ['role', 'state'],
    registers: [registry],
    collect() {
      for (const [role, pool] of pools) {
        const { total, idle } = pool.connections()
        this.set({ role, state: 'busy' }, total - idle)
        this.set({ role, state: 'idle' }, idle)
      }
    },
  })
  new Gauge({
    name: 'sightline_database_waiting',
    help: 'Requests waiting for a database connection, by role.',
    labelNames: ['role'],
    registers: [registry],
    collect() {
      for (const [role, pool] of pools) this.set({ role }, pool.connections().waiting)
    },
  })
}
