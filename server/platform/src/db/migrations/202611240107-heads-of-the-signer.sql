-- Signed heads of footage belong to the process that signs them: a worker that a camera took over could otherwise cut off a
-- list and remove here what says so. Workers remove those of erased accounts, and nothing else.
revoke all on footage_heads from sightline_media;
drop policy media on footage_heads;
grant select, insert, update on footage_heads to sightline_sealer;
create policy sealer on footage_heads to sightline_sealer using (true) with check (true);
grant select, delete on footage_heads to sightline_media;
create policy media_reads on footage_heads for select to sightline_media using (true);
create policy media_erases on footage_heads for delete to sightline_media using (
  exists (select from erased_people p join erasures e on e.user_id = p.user_id
           where p.user_id = p.account_id and e.account_id = footage_heads.account_id));
