export { profilesQuery } from './profile-queries.ts'
