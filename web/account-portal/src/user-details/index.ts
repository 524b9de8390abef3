export { countryName } from './countries.ts'
