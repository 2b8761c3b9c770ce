"""The simulation of several machines."""

from bench.machines import Shape, Simulation


def test_waits_grow_without_end_where_a_resource_is_full() -> None:
    shape = Shape(databases=1, machines=1, cores=1, replica=False)
    full, name = shape.full()
    assert name == "PostgreSQL"
    calm, crowded = (Simulation(shape, int(use * full)).p99_ms() for use in (0.5, 1.5))
    assert crowded > 10 * calm


def test_a_replica_and_more_machines_carry_more() -> None:
    shapes = [Shape(1, 1, 1, False), Shape(1, 1, 1, True), Shape(1, 2, 8, True)]
    tables = [shape.full()[0] for shape in shapes]
    assert tables == sorted(set(tables))
