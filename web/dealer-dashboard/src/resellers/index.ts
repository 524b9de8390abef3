export { resellerQuery, themeQuery } from './reseller-queries.ts'
export { TokenLifetimesCard } from './TokenLifetimesCard.tsx'
