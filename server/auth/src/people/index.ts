export { findByEmail, findByUserId, type Person } from './store.ts'
