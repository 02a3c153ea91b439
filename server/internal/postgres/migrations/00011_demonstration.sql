-- +goose Up

-- Strangers publish to a demonstration channel: it is in no list, cannot be followed, and its notifications soon expire.
alter table channels add column demonstration boolean not null default false;

insert into channels (id, publisher_id, category_id, slug, name, description, visibility, demonstration, updated_at)
select gen_random_uuid(), c.publisher_id, c.category_id, 'demonstracao', 'Demonstração',
    'O que os visitantes enviam na demonstração. Desaparece ao fim de uma hora.', 'unlisted', true, now()
from channels c join publishers p on p.id = c.publisher_id
where p.slug = 'demo' and c.slug = 'novidades'
on conflict do nothing;

-- The address that was printed as DEMO_WEBHOOK_URL stays good, but no stranger publishes to the public channel any more.
update webhooks w set channel_id = d.id
from channels d join publishers p on p.id = d.publisher_id join channels c on c.publisher_id = p.id
where p.slug = 'demo' and c.slug = 'novidades' and d.demonstration and w.channel_id = c.id and w.signing = 'none';
delete from webhooks w using channels c, publishers p -- where the slug was taken
where p.slug = 'demo' and c.slug = 'novidades' and c.publisher_id = p.id and w.channel_id = c.id and w.signing = 'none';

update channels c set description = 'O que há de novo no Sininho.'
from publishers p where p.id = c.publisher_id and p.slug = 'demo' and c.slug = 'novidades'
    and c.description = 'O que há de novo no Sininho, e o que os visitantes publicam na demonstração.';

-- +goose Down
alter table channels drop column demonstration;
