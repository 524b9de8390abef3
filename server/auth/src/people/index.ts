export { type Found, findByEmail, findByUserId, type Person } from './store.ts'
