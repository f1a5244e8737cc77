"""Writes the parts of the chart that follow from the program: facts of the services, the values' schema, dashboards."""
